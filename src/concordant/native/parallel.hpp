// Work shared out over threads by row, for every kernel of the package.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace concordant {

// Runs task(row, scratch) for every row. Each thread has a Scratch of its own to reuse, and a row
// writes only its own results, so what comes out never depends on the number of threads. The first
// exception is thrown again once all threads have stopped.
template <class Scratch, class Task>
void for_each_row(std::size_t rows, std::size_t threads, const Task& task) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    auto work = [&] {
        try {
            Scratch scratch;
            for (std::size_t row = next++; row < rows; row = next++) task(row, scratch);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            if (!failure) failure = std::current_exception();
            next = rows;
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::size_t i = 1; i < std::min(threads, rows); ++i) others.emplace_back(work);
    } catch (const std::exception&) {
        // No more threads are to be had: those that are there do the work.
    }
    work();
    for (auto& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace concordant
