// Python's strings as code points, read without copying and without the GIL.
//
// A Python string is immutable, so once its address is known (with the GIL held, and a reference to
// it kept by the caller's list) its code points may be read by any thread. Code points are taken as
// they are: NUL, astral characters and lone surrogates are ordinary ones here.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace concordant {

struct Text {
    int kind = PyUnicode_1BYTE_KIND;
    const void* data = nullptr;
    std::size_t size = 0;

    char32_t operator[](std::size_t i) const {
        return static_cast<char32_t>(PyUnicode_READ(kind, data, i));
    }
};

inline Text text_of(nanobind::handle item) {
    PyObject* object = item.ptr();
    if (!PyUnicode_Check(object)) throw nanobind::type_error("every text must be a string");
    return {static_cast<int>(PyUnicode_KIND(object)), PyUnicode_DATA(object),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))};
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
        throw std::invalid_argument("hypotheses and references differ in length");
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

// The code points of a text, into a buffer that is reused.
inline void copy_code_points(const Text& text, std::u32string& points) {
    points.resize(text.size);
    const auto copy = [&](auto* from) { std::copy(from, from + text.size, points.begin()); };
    if (text.kind == PyUnicode_1BYTE_KIND) copy(static_cast<const Py_UCS1*>(text.data));
    if (text.kind == PyUnicode_2BYTE_KIND) copy(static_cast<const Py_UCS2*>(text.data));
    if (text.kind == PyUnicode_4BYTE_KIND) copy(static_cast<const Py_UCS4*>(text.data));
}

inline std::u32string code_points(const Text& text) {
    std::u32string points;
    copy_code_points(text, points);
    return points;
}

}  // namespace concordant
