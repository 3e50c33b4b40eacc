// Python's strings as code points, read without the GIL.
//
// A Python string is immutable, so once its address is known (with the GIL held, and a reference to
// it kept by the caller's list) its code points may be read by any thread, without copying. The
// stable ABI hides that address: there the code points are copied. Code points are taken as they
// are: NUL, astral characters and lone surrogates are ordinary ones here.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace concordant {

#ifdef Py_LIMITED_API

struct Text {
    std::unique_ptr<Py_UCS4[]> points;
    std::size_t size = 0;

    char32_t operator[](std::size_t i) const { return static_cast<char32_t>(points[i]); }
};

inline Text read_string(PyObject* object) {
    const Py_ssize_t size = PyUnicode_GetLength(object);
    std::unique_ptr<Py_UCS4[]> points(new Py_UCS4[static_cast<std::size_t>(size)]);
    if (size > 0 && PyUnicode_AsUCS4(object, points.get(), size, 0) == nullptr)
        throw nanobind::python_error();
    return {std::move(points), static_cast<std::size_t>(size)};
}

// The code points of a text, into a buffer that is reused.
inline void copy_code_points(const Text& text, std::u32string& points) {
    points.assign(text.points.get(), text.points.get() + text.size);
}

#else

struct Text {
    int kind = PyUnicode_1BYTE_KIND;
    const void* data = nullptr;
    std::size_t size = 0;

    char32_t operator[](std::size_t i) const {
        return static_cast<char32_t>(PyUnicode_READ(kind, data, i));
    }
};

inline Text read_string(PyObject* object) {
    return {static_cast<int>(PyUnicode_KIND(object)), PyUnicode_DATA(object),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))};
}

// The code points of a text, into a buffer that is reused.
inline void copy_code_points(const Text& text, std::u32string& points) {
    points.resize(text.size);
    const auto copy = [&](auto* from) { std::copy(from, from + text.size, points.begin()); };
    if (text.kind == PyUnicode_1BYTE_KIND) copy(static_cast<const Py_UCS1*>(text.data));
    if (text.kind == PyUnicode_2BYTE_KIND) copy(static_cast<const Py_UCS2*>(text.data));
    if (text.kind == PyUnicode_4BYTE_KIND) copy(static_cast<const Py_UCS4*>(text.data));
}

#endif

inline Text text_of(nanobind::handle item) {
    if (!PyUnicode_Check(item.ptr())) throw nanobind::type_error("every text must be a string");
    return read_string(item.ptr());
}

// The texts of a list; the list must outlive them.
inline std::vector<Text> texts_of(const nanobind::list& items) {
    std::vector<Text> texts;
    texts.reserve(items.size());
    for (nanobind::handle item : items) texts.push_back(text_of(item));
    return texts;
}

// The references of every segment: a list of one or more strings each.
inline std::vector<std::vector<Text>> references_of(const nanobind::list& items,
                                                    std::size_t segments) {
    if (items.size() != segments)
        throw std::invalid_argument("translations and references differ in length");
    std::vector<std::vector<Text>> references;
    references.reserve(segments);
    for (nanobind::handle item : items) {
        if (!PyList_Check(item.ptr()))
            throw nanobind::type_error("the references of a segment must be a list of strings");
        references.push_back(texts_of(nanobind::borrow<nanobind::list>(item)));
        if (references.back().empty())
            throw std::invalid_argument("a segment has no reference");
    }
    return references;
}

inline std::u32string code_points(const Text& text) {
    std::u32string points;
    copy_code_points(text, points);
    return points;
}

}  // namespace concordant
