// Work shared out over threads by row, for every kernel of the package.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "interruption.hpp"

namespace concordant {

// The threads of one call: which are still working, and the first exception.
class Crew {
  public:
    Interruption& interruption() { return interruption_; }

    // Runs work(); an exception stops all threads, and the first one is kept.
    template <class Work>
    void run(const Work& work, bool polls) {
        try {
            const WorkFor call(interruption_, polls);
            work();
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard_);
            if (!failure_) failure_ = std::current_exception();
            interruption_.stop();
        }
    }

    void enter() {
        const std::lock_guard<std::mutex> lock(guard_);
        ++busy_;
    }
    void leave() {
        const std::lock_guard<std::mutex> lock(guard_);
        --busy_;
        changed_.notify_all();
    }

    // Waits for all threads that entered, and handles signals meanwhile.
    void wait() {
        std::unique_lock<std::mutex> lock(guard_);
        while (!changed_.wait_for(lock, Interruption::kInterval, [&] { return busy_ == 0; })) {
            lock.unlock();
            run([&] { interruption_.poll(); }, true);
            lock.lock();
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    Interruption interruption_;
    std::mutex guard_;
    std::condition_variable changed_;
    std::size_t busy_ = 0;
    std::exception_ptr failure_;
};

// Runs task(row, scratch) for every row; the GIL must be released. Each thread has a Scratch of its
// own to reuse, and a row writes only its own results, so what comes out never depends on the
// number of threads. The first exception, which may be a signal handler's, is thrown again once all
// threads have stopped.
template <class Scratch, class Task>
void for_each_row(std::size_t rows, std::size_t threads, const Task& task) {
    std::atomic<std::size_t> next{0};
    Crew crew;
    const auto work = [&] {
        Scratch scratch;
        for (std::size_t row = next++; row < rows; row = next++) {
            check_interruption();
            task(row, scratch);
        }
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < std::min(threads, rows); ++i) {
        crew.enter();
        try {
            others.emplace_back([&] {
                crew.run(work, false);
                crew.leave();
            });
        } catch (const std::exception&) {
            crew.leave();  // no more threads can be started: those that run do the work
            break;
        }
    }
    crew.run(work, true);
    if (!others.empty()) crew.wait();
    for (auto& thread : others) thread.join();
    crew.rethrow();
}

// Runs one piece of work that checks for interruption; the GIL must be released.
template <class Work>
void run_interruptibly(const Work& work) {
    Crew crew;
    crew.run(work, true);
    crew.rethrow();
}

}  // namespace concordant
