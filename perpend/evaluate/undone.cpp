#include "perpend/evaluate/undone.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/evaluate/column_change.h"
#include "perpend/evaluate/home_columns.h"

namespace perpend {

namespace {

// Returns how many of `rows` rows each place has if they are spread as at home: whole numbers that sum to `rows`.
std::vector<std::size_t> room_at_home(const HomeColumn& home, std::size_t rows) {
  const double all = std::accumulate(home.counts.begin(), home.counts.end(), 0.0);
  std::vector<std::size_t> room;
  double up_to = 0;
  std::size_t given = 0;
  for (const std::uint32_t count : home.counts) {
    up_to += count;
    const auto end = static_cast<std::size_t>(std::floor(up_to / all * static_cast<double>(rows) + 0.5));
    room.push_back(end - given);
    given = end;
  }
  return room;
}

std::vector<std::size_t> order_of_numbers(InputsView rows, std::size_t column, const std::vector<std::size_t>& places) {
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (places[a] != places[b]) return places[a] < places[b];
    return rows(a, column) < rows(b, column);  // missing cells are equal
  });
  return order;
}

// By rank: the lowest rows take the lowest places.
std::vector<std::size_t> places_by_rank(const std::vector<std::size_t>& order, const std::vector<std::size_t>& room) {
  std::vector<std::size_t> to(order.size());
  std::size_t next = 0;
  for (std::size_t p = 0; p < room.size(); ++p) {
    for (std::size_t i = 0; i < room[p]; ++i) to[order[next++]] = p;
  }
  return to;
}

// Rows stay while their place has room. The others fill what is left, in the order of the rows.
std::vector<std::size_t> places_with_room(const std::vector<std::size_t>& from, std::vector<std::size_t> room) {
  std::vector<std::size_t> to(from.size(), room.size());
  for (std::size_t r = 0; r < from.size(); ++r) {
    if (room[from[r]] == 0) continue;
    to[r] = from[r];
    --room[from[r]];
  }
  std::size_t p = 0;
  for (std::size_t& place : to) {
    if (place < room.size()) continue;
    while (room[p] == 0) ++p;
    place = p;
    --room[p];
  }
  return to;
}

}  // namespace

std::vector<float> put_back(const HomeColumn& home, const Schema& schema, std::size_t column, InputsView rows) {
  const std::size_t levels = schema.columns[column].levels.size();
  const bool is_category = schema.columns[column].kind == ColumnKind::categorical;
  std::vector<std::size_t> from;
  for (std::size_t r = 0; r < rows.rows(); ++r) from.push_back(place_of(home, levels, rows(r, column)));
  const auto room = room_at_home(home, rows.rows());
  const auto to =
      is_category ? places_with_room(from, room) : places_by_rank(order_of_numbers(rows, column, from), room);
  std::vector<float> cells;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const float own = rows(r, column);
    const bool beyond = !is_category && is_beyond(schema, column, own);
    cells.push_back(to[r] == from[r] && !beyond ? own : typical_cell(home, schema, column, to[r]));
  }
  return cells;
}

}  // namespace perpend
