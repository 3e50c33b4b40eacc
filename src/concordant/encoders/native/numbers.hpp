// Numbers as text, read as Python's float() reads them but without an object for each.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

namespace concordant {

// An ordinary decimal number (few digits, a small exponent) is an integer times or by a power of
// ten, both exact in double precision, so that the result is correctly rounded (Clinger 1990).
// Returns where the number ends, `begin` where it is none of that kind.
inline const char* read_short_number(const char* begin, double& value) {
    static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char* at = begin + (*begin == '-');
    uint64_t digits = 0;
    int count = 0, after_point = 0;
    const auto read_digits = [&] {
        const char* from = at;
        for (; *at >= '0' && *at <= '9' && count <= 15; ++at, ++count)
            digits = 10 * digits + static_cast<uint64_t>(*at - '0');
        return static_cast<int>(at - from);
    };
    read_digits();
    if (*at == '.') {
        ++at;
        after_point = read_digits();
    }
    const bool ended = *at == ' ' || *at == '\0';
    if (count == 0 || count > 15 || !ended) return begin;
    value = static_cast<double>(digits) / kPowers[after_point];
    if (*begin == '-') value = -value;
    return at;
}

// The numbers of a text that ends in NUL, with blanks between them; it stops at what is none. The
// GIL is held: other numbers (with exponents, many digits, nan) are read by Python.
inline std::vector<float> read_numbers(const char* text) {
    std::vector<float> numbers;
    for (const char* at = text;;) {
        while (*at == ' ') ++at;
        if (*at == '\0') return numbers;
        double value = 0;
        const char* end = read_short_number(at, value);
        if (end == at) {
            char* stop = nullptr;
            value = PyOS_string_to_double(at, &stop, nullptr);
            if (PyErr_Occurred() != nullptr) PyErr_Clear();
            end = stop;
        }
        if (end == nullptr || end == at || (*end != ' ' && *end != '\0')) return numbers;
        numbers.push_back(static_cast<float>(value));
        at = end;
    }
}

}  // namespace concordant
