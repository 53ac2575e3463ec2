// The graph of operations in an ONNX file, as far as the fused engine needs it.
#include "OnnxGraph.h"

#include <cstring>
#include <set>

#include "ProtobufReader.h"

namespace faceplay {
namespace {

/// The version of ONNX's operations that models/convert.py writes.
constexpr uint64_t kOpset = 11;
/// Ten times the largest graph there is.
constexpr size_t kMostNodes = 1000;
/// Batch, channels, height, width are the most that is needed; pads have one dimension of eight.
constexpr size_t kMostDimensions = 4;

using Field = ProtobufReader::Field;

[[noreturn]] void refuse(const std::string &reason) { throw UnsupportedGraph(reason); }

/// Adds the values of a repeated integer field, which may be packed or not.
void append(const Field &field, std::vector<int64_t> &values) {
  if (field.type == Field::Type::integer) {
    values.push_back(static_cast<int64_t>(field.integer));
    return;
  }
  ProtobufReader packed(field.text());
  while (!packed.isAtEnd()) values.push_back(static_cast<int64_t>(packed.readInteger()));
}

OnnxAttribute readAttribute(std::string_view bytes, std::string_view &name) {
  OnnxAttribute attribute;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    switch (field.number) {
      case 1: name = field.text(); break;
      case 3: attribute.integer = static_cast<int64_t>(field.whole()); break;
      case 4: attribute.text = field.text(); break;
      case 8: append(field, attribute.integers); break;
    }
  }
  return attribute;
}

OnnxNode readNode(std::string_view bytes) {
  OnnxNode node;
  size_t outputs = 0;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    switch (field.number) {
      case 1: node.inputs.push_back(field.text()); break;
      case 2:
        node.output = field.text();
        ++outputs;
        break;
      case 4: node.kind = field.text(); break;
      case 5: {
        std::string_view name;
        OnnxAttribute attribute = readAttribute(field.text(), name);
        node.attributes[name] = std::move(attribute);
        break;
      }
      case 7:
        if (!field.text().empty()) refuse("an operation of a foreign domain");
        break;
    }
  }
  if (outputs != 1) refuse("an operation without exactly one output");
  return node;
}

OnnxConstant::Type constantType(uint64_t code) {
  switch (code) {
    case 1: return OnnxConstant::Type::float32;
    case 7: return OnnxConstant::Type::int64;
    default: refuse("a constant of an unknown type");
  }
}

/// Checks that the sizes make up exactly the bytes there are.
std::vector<size_t> checkedSizes(const std::vector<int64_t> &sizes, size_t valueBytes, size_t byteCount) {
  if (sizes.size() > kMostDimensions) refuse("a constant of too many dimensions");
  if (byteCount % valueBytes != 0) refuse("a constant cut short");
  size_t left = byteCount / valueBytes;
  std::vector<size_t> checked;
  for (const int64_t size : sizes) {
    if (size < 1 || left % static_cast<uint64_t>(size) != 0) refuse("a constant whose shape does not fit its values");
    left /= static_cast<size_t>(size);
    checked.push_back(static_cast<size_t>(size));
  }
  if (left != 1) refuse("a constant whose shape does not fit its values");
  return checked;
}

OnnxConstant readConstant(std::string_view bytes, std::string_view &name) {
  std::vector<int64_t> sizes;
  uint64_t type = 0;
  std::string_view values;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    switch (field.number) {
      case 1: append(field, sizes); break;
      case 2: type = field.whole(); break;
      case 8: name = field.text(); break;
      case 9: values = field.text(); break;
      case 13: refuse("a constant in another file");
    }
  }
  OnnxConstant constant = {constantType(type), {}, values};
  const size_t valueBytes = constant.type == OnnxConstant::Type::float32 ? sizeof(float) : sizeof(int64_t);
  constant.sizes = checkedSizes(sizes, valueBytes, values.size());
  return constant;
}

/// Only the name is read: shapes follow from the input's, which the caller knows.
std::string_view readValueName(std::string_view bytes) {
  std::string_view name;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.number == 1) name = field.text();
  }
  return name;
}

void checkOpset(std::string_view bytes) {
  std::string_view domain;
  uint64_t version = 0;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.number == 1) domain = field.text();
    if (field.number == 2) version = field.whole();
  }
  if (domain.empty() && version != kOpset) refuse("opset " + std::to_string(version) + " instead of 11");
}

/// Checks that no value is defined twice and none is used before it is defined: so the graph has no cycle.
void checkOrder(const OnnxGraph &graph) {
  std::set<std::string_view> defined = {graph.input};
  for (const auto &[name, constant] : graph.constants) {
    if (!defined.insert(name).second) refuse("a value is defined twice");
  }
  for (const OnnxNode &node : graph.nodes) {
    for (const std::string_view input : node.inputs) {
      if (defined.count(input) == 0) refuse("a value is used before it is defined");
    }
    if (!defined.insert(node.output).second) refuse("a value is defined twice");
  }
}

OnnxGraph readGraph(std::string_view bytes) {
  OnnxGraph graph;
  std::vector<std::string_view> inputs;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    switch (field.number) {
      case 1:
        if (graph.nodes.size() == kMostNodes) refuse("too many operations");
        graph.nodes.push_back(readNode(field.text()));
        break;
      case 5: {
        std::string_view name;
        OnnxConstant constant = readConstant(field.text(), name);
        if (!graph.constants.emplace(name, std::move(constant)).second) refuse("a value is defined twice");
        break;
      }
      case 11: inputs.push_back(readValueName(field.text())); break;
    }
  }
  if (inputs.size() != 1) refuse("other than one input");
  graph.input = inputs[0];
  checkOrder(graph);
  return graph;
}

template <typename Value>
std::vector<Value> copied(std::string_view bytes) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ONNX stores little-endian values");
  std::vector<Value> values(bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
  return values;
}

}  // namespace

std::vector<float> OnnxConstant::floats() const {
  if (type != Type::float32) refuse("a constant that should hold float32");
  return copied<float>(bytes);
}

std::vector<int64_t> OnnxConstant::integers() const {
  if (type != Type::int64) refuse("a constant that should hold int64");
  return copied<int64_t>(bytes);
}

OnnxGraph OnnxGraph::read(std::string_view bytes) {
  std::string_view graph;
  bool hasOpset = false;
  ProtobufReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.number == 7) graph = field.text();
    if (field.number == 8) {
      checkOpset(field.text());
      hasOpset = true;
    }
  }
  if (!hasOpset) refuse("no opset");
  return readGraph(graph);
}

}  // namespace faceplay
