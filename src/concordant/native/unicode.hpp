// What Python's str methods know of characters: white space.
#pragma once

namespace concordant {

// Exactly the characters for which Python's str.isspace() is true, where str.split() cuts.
inline bool is_space(char32_t c) {
    if (c <= 0x20) return (c >= 0x09 && c <= 0x0d) || c >= 0x1c;
    if (c < 0x80) return false;
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
           c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

}  // namespace concordant
