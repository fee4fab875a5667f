// Makes files of NumPy's format, byte by byte.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace perpend {

// version: 1 to 3. The header is padded as in NumPy.
inline std::string npy_bytes(const std::string& header, const std::string& data, int version = 1) {
  std::string padded = header;
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + padded.size() + 1) % 64 != 0) padded += ' ';
  padded += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(padded.size() >> (8 * i) & 0xFF);
  return bytes + padded + data;
}

inline std::string npy_header(const std::string& dtype, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

template <class T>
std::string raw_bytes(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace perpend
