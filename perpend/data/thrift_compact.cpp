#include "perpend/data/thrift_compact.h"

#include <limits>

#include "perpend/base/error.h"

namespace perpend {

namespace {

std::int64_t unzigzag(std::uint64_t value) { return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1)); }

}  // namespace

std::int64_t ThriftReader::integer() {
  if (type_ == Type::int8) return static_cast<std::int8_t>(byte());
  expect(type_ == Type::int16 || type_ == Type::int32 || type_ == Type::int64);
  return unzigzag(varint());
}

std::int32_t ThriftReader::integer32() {
  const std::int64_t value = integer();
  expect(value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max());
  return static_cast<std::int32_t>(value);
}

bool ThriftReader::boolean() {
  expect(type_ == Type::yes || type_ == Type::no);
  return type_ == Type::yes;
}

std::string_view ThriftReader::binary() {
  expect(type_ == Type::binary);
  return take(varint());
}

unsigned ThriftReader::byte() { return static_cast<unsigned char>(take(1)[0]); }

std::uint64_t ThriftReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const unsigned next = byte();
    value |= std::uint64_t{next & 127} << shift;
    if (next < 128) return value;
  }
  expect(false);
  return value;
}

std::string_view ThriftReader::take(std::uint64_t size) {
  expect(size <= rest_.size());
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

int ThriftReader::field_id() {
  const std::int64_t id = unzigzag(varint());
  expect(id >= 0 && id <= std::numeric_limits<std::int16_t>::max());
  return static_cast<int>(id);
}

// Every element takes at least one byte, so a list has at most as many elements as there are bytes.
ThriftReader::ListHead ThriftReader::list_head() {
  const unsigned head = byte();
  const std::uint64_t size = head >> 4 == 15 ? varint() : head >> 4;
  expect(size <= rest_.size());
  return {size, static_cast<Type>(head & 15)};
}

void ThriftReader::skip(Type type) {
  if (type == Type::yes || type == Type::no) return;  // the head of the field was the value
  skip_element(type);
}

void ThriftReader::skip_element(Type type) {
  switch (type) {
    case Type::yes:
    case Type::no:
    case Type::int8:
      take(1);
      return;
    case Type::int16:
    case Type::int32:
    case Type::int64:
      varint();
      return;
    case Type::floating:
      take(8);
      return;
    case Type::binary:
      take(varint());
      return;
    case Type::list:
    case Type::set: {
      const auto [size, element] = list_head();
      enter();
      for (std::uint64_t i = 0; i < size; ++i) skip_element(element);
      --depth_;
      return;
    }
    case Type::map: {
      const std::uint64_t size = varint();
      if (size == 0) return;
      const unsigned types = byte();
      expect(size <= rest_.size());
      enter();
      for (std::uint64_t i = 0; i < size; ++i) {
        skip_element(static_cast<Type>(types >> 4));
        skip_element(static_cast<Type>(types & 15));
      }
      --depth_;
      return;
    }
    case Type::structure:
      fields([](int) { return false; });
      return;
    case Type::stop:
      break;
  }
  expect(false);
}

void ThriftReader::expect(bool good) const {
  if (!good) throw DataError(what_ + " is damaged");
}

}  // namespace perpend
