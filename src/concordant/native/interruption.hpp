// How kernels notice Ctrl-C while the GIL is released, and how all threads of a call stop together.
//
// A kernel's loops call check_interruption(), or spend work on a Pace that calls it now and then.
// The thread that Python called takes the GIL for a moment every tenth of a second and runs the
// signal handlers that are due; if one raises, all threads of the call stop at their next check.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstddef>

namespace concordant {

// What a thread throws when it stops because another one failed.
struct Stopped {};

// Shared by all threads of one call of a kernel.
class Interruption {
  public:
    static constexpr std::chrono::milliseconds kInterval{100};

    void stop() { stopped_.store(true, std::memory_order_relaxed); }
    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

    // Only for the thread that Python called, without the GIL: throws what a signal handler raised.
    void poll() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + kInterval;
        const nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }

  private:
    using Time = std::chrono::steady_clock::time_point;

    std::atomic<bool> stopped_{false};
    Time next_ = std::chrono::steady_clock::now() + kInterval;
};

// The call that this thread works for, and whether it is the thread that Python called.
struct Running {
    Interruption* interruption = nullptr;
    bool polls = false;
};
inline thread_local Running running;

// While it lives, this thread works for a call.
class WorkFor {
  public:
    WorkFor(Interruption& interruption, bool polls) : before_(running) {
        running = {&interruption, polls};
    }
    ~WorkFor() { running = before_; }
    WorkFor(const WorkFor&) = delete;
    WorkFor& operator=(const WorkFor&) = delete;

  private:
    Running before_;
};

// Throws if this thread has to stop. Costs a reading of the clock on the thread that polls.
inline void check_interruption() {
    if (running.interruption == nullptr) return;
    if (running.interruption->stopped()) throw Stopped{};
    if (running.polls) running.interruption->poll();
}

// Checks each time so many steps of work, each of about a nanosecond, have been spent.
class Pace {
  public:
    void spend(std::size_t steps) {
        spent_ += steps;
        if (spent_ < kSteps) return;
        spent_ = 0;
        check_interruption();
    }

  private:
    static constexpr std::size_t kSteps = std::size_t{1} << 20;
    std::size_t spent_ = 0;
};

}  // namespace concordant
