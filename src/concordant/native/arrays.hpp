// NumPy's arrays as the bindings take and give them.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace concordant {

template <class T>
using Vector = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig,
                                 nanobind::device::cpu>;
template <class T>
using Matrix = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig,
                                 nanobind::device::cpu>;
using Pairs = nanobind::ndarray<const int64_t, nanobind::shape<-1, 2>, nanobind::c_contig,
                                nanobind::device::cpu>;
template <class T>
using NewVector = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;
template <class T>
using NewMatrix = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>;

inline void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

template <class T>
nanobind::capsule owner_of(T* data) {
    return nanobind::capsule(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

template <class T>
NewMatrix<T> zeros(std::size_t rows, std::size_t columns) {
    auto* data = new T[rows * columns]();
    return {data, {rows, columns}, owner_of(data)};
}

template <class T>
NewVector<T> zeros(std::size_t size) {
    auto* data = new T[size]();
    return {data, {size}, owner_of(data)};
}

template <class T>
NewVector<T> array_of(const std::vector<T>& numbers) {
    NewVector<T> result = zeros<T>(numbers.size());
    std::copy(numbers.begin(), numbers.end(), result.data());
    return result;
}

// By way of UTF-32 in the order of this machine's bytes, as the stable ABI has no other; lone
// surrogates pass.
inline nanobind::object python_string(std::u32string_view text) {
    int order = PY_BIG_ENDIAN ? 1 : -1;
    PyObject* string = PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(text.data()),
                                             static_cast<Py_ssize_t>(4 * text.size()),
                                             "surrogatepass", &order);
    if (string == nullptr) throw nanobind::python_error();
    return nanobind::steal(string);
}

}  // namespace concordant
