#include "CToml.h"

#include <string>
#include <string_view>
#include <vector>

namespace {

struct broken_assumption {};

// Version 3.3 asserts this condition before the check that reports the fault, for example in "[.a]".
constexpr bool is_seen_to_later(std::string_view assumption) {
  return assumption == "is_bare_key_character(*cp) || is_string_delimiter(*cp)";
}

} // namespace

// Faults are values, a limit of nesting protects the stack, and assertions are checked in every build.
#undef NDEBUG
#define TOML_ASSERT(expr) (is_seen_to_later(#expr) || (expr) ? void() : throw broken_assumption{})
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

struct bk_toml {
  toml::table root;
  std::vector<bk_toml_node> nodes;
  std::string failure;
  toml::source_position place{};
};

namespace {

void add(std::vector<bk_toml_node> &nodes, const toml::node &value, const toml::key *key) {
  bk_toml_node node{};
  auto begin = key ? key->source().begin : value.source().begin;
  node.line = begin.line;
  node.column = begin.column;
  node.last_line = value.source().end.line;
  if (key) {
    node.key = key->str().data();
    node.key_length = key->str().size();
  }
  size_t index = nodes.size();
  nodes.push_back(node);
  // New children may move the list; use `nodes[index]` from here on.
  if (auto table = value.as_table()) {
    nodes[index].kind = BK_TOML_TABLE;
    nodes[index].count = table->size();
    for (auto &&[name, child] : *table) add(nodes, child, &name);
  } else if (auto array = value.as_array()) {
    nodes[index].kind = BK_TOML_ARRAY;
    nodes[index].count = array->size();
    for (auto &&child : *array) add(nodes, child, nullptr);
  } else if (auto text = value.as_string()) {
    nodes[index].kind = BK_TOML_TEXT;
    nodes[index].text = text->get().data();
    nodes[index].text_length = text->get().size();
  } else if (auto integer = value.as_integer()) {
    nodes[index].kind = BK_TOML_INTEGER;
    nodes[index].integer = integer->get();
  } else if (auto number = value.as_floating_point()) {
    nodes[index].kind = BK_TOML_NUMBER;
    nodes[index].number = number->get();
  } else if (auto flag = value.as_boolean()) {
    nodes[index].kind = BK_TOML_FLAG;
    nodes[index].integer = flag->get();
  } else {
    nodes[index].kind = BK_TOML_MOMENT;
  }
}

} // namespace

bk_toml *bk_toml_read(const char *bytes, size_t count) try {
  auto document = new bk_toml;
  try {
    auto result = toml::parse(std::string_view(bytes, count));
    if (result) {
      document->root = std::move(result).table();
      add(document->nodes, document->root, nullptr);
    } else {
      document->failure = result.error().description();
      document->place = result.error().source().begin;
    }
    return document;
  } catch (...) {
    delete document;
    return nullptr;
  }
} catch (...) {
  return nullptr;
}

void bk_toml_free(bk_toml *document) { delete document; }

const char *bk_toml_failure(const bk_toml *document, uint32_t *line, uint32_t *column) {
  if (!document->nodes.empty()) return nullptr;
  *line = document->place.line;
  *column = document->place.column;
  return document->failure.c_str();
}

const bk_toml_node *bk_toml_nodes(const bk_toml *document, size_t *count) {
  *count = document->nodes.size();
  return document->nodes.data();
}
