#!/usr/bin/env python3
"""Converts MediaPipe's face networks from TFLite to the ONNX files that faceplay reads.

usage: convert.py MEDIAPIPE_WHEEL OUTPUT_DIRECTORY

The attention landmark network holds three operations of MediaPipe's own (a spatial transformer), which no ONNX reader
knows. It is therefore cut at them into plain convolutional networks; Sources/CFaceLandmarker does what lies between.
Weights are widened from float16 to float32 (exact), layouts turned from NHWC to NCHW, and nothing else is changed.
The same wheel and the package versions in requirements.txt give the same bytes.
"""

import argparse
import hashlib
import pathlib
import sys
import zipfile
from typing import NamedTuple

import numpy as np
import onnx
import tflite
from onnx import TensorProto, helper, numpy_helper

OPSET = 11  # what OpenCV 4.6 reads without loss
IR_VERSION = 6  # the file format version that came with opset 11
CHECKSUM_FILE = "models.sha256"
LICENCE_MEMBER = "mediapipe-0.10.14.dist-info/LICENSE"
LICENCE_FILE = "LICENSE.mediapipe"


class Source(NamedTuple):
    """A TFLite file inside the wheel; the tensor names below mean nothing in any other file, so it is pinned."""

    member: str
    sha256: str


class Network(NamedTuple):
    """One ONNX file: the part of a source between `inputs` and `outputs`, each {TFLite tensor: name in ONNX}."""

    file: str
    source: Source
    inputs: dict
    outputs: dict


DETECTOR = Source(
    "mediapipe/modules/face_detection/face_detection_short_range.tflite",
    "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8",
)
LANDMARKS = Source(
    "mediapipe/modules/face_landmark/face_landmark_with_attention.tflite",
    "e06a804e0144f9929eda782122916b35d60c697c3c9344013ca2bbe76a6ce2b4",
)

NETWORKS = [
    Network(
        "detector.onnx",
        DETECTOR,
        {"input": "image"},
        # Each head covers one grid of cells; its channels are (anchor of the cell, value of the anchor).
        {
            "regressor_8": "boxes_16x16",
            "classificator_8": "scores_16x16",
            "regressor_16": "boxes_8x8",
            "classificator_16": "scores_8x8",
        },
    ),
    Network(
        "landmarks.onnx",
        LANDMARKS,
        {"input_1": "image"},
        {"output_mesh": "mesh", "conv_faceflag": "presence", "p_re_lu_3": "features"},
    ),
    Network(
        "landmarks-lips.onnx",
        LANDMARKS,
        {"transform_tensor_bilinear_v2": "features"},
        {"conv_lips": "lips"},
    ),
    # Left and right as MediaPipe counts them: "left" is image left, the player's right eye (point 33).
    Network(
        "landmarks-left-eye.onnx",
        LANDMARKS,
        {"transform_tensor_bilinear_v2_1": "features"},
        {"conv_left_eye": "eye", "conv_left_iris": "iris"},
    ),
    Network(
        "landmarks-right-eye.onnx",
        LANDMARKS,
        {"transform_tensor_bilinear_v2_2": "features"},
        {"conv_right_eye": "eye", "conv_right_iris": "iris"},
    ),
]


class Operation(NamedTuple):
    kind: str
    inputs: list  # tensor names
    output: str
    options: object  # flatbuffers table of the operation's options, or None


class TFLiteGraph:
    """A TFLite file's only subgraph, by tensor name, with float16 weights already widened."""

    KINDS = {code: name for name, code in vars(tflite.BuiltinOperator).items() if isinstance(code, int)}
    DTYPES = {
        tflite.TensorType.FLOAT16: np.float16,
        tflite.TensorType.FLOAT32: np.float32,
        tflite.TensorType.INT32: np.int32,
    }

    def __init__(self, data):
        self._model = tflite.Model.GetRootAsModel(data, 0)
        graph = self._model.Subgraphs(0)
        tensors = [graph.Tensors(i) for i in range(graph.TensorsLength())]
        names = [tensor.Name().decode() for tensor in tensors]
        if len(set(names)) != len(names):
            raise ValueError("two tensors share a name")
        self.shapes = {n: [int(d) for d in t.ShapeAsNumpy()] for n, t in zip(names, tensors) if t.ShapeLength()}
        self.constants = {}
        for name, tensor in zip(names, tensors):
            buffer = self._model.Buffers(tensor.Buffer())
            if buffer.DataLength() and tensor.Type() in self.DTYPES:
                values = np.frombuffer(buffer.DataAsNumpy().tobytes(), self.DTYPES[tensor.Type()])
                self.constants[name] = values.reshape(self.shapes.get(name, []))
        self.producers = {}  # tensor name -> (place in execution order, operation)
        for place in range(graph.OperatorsLength()):
            operation = self._operation(graph.Operators(place), names)
            if operation.kind == "DEQUANTIZE":
                self.constants[operation.output] = self.constants[operation.inputs[0]].astype(np.float32)
            else:
                self.producers[operation.output] = (place, operation)

    def _operation(self, raw, names):
        code = self._model.OperatorCodes(raw.OpcodeIndex())
        kind = self.KINDS[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
        inputs = [names[i] for i in raw.InputsAsNumpy()]
        return Operation(kind, inputs, names[raw.Outputs(0)], raw.BuiltinOptions())

    def between(self, inputs, outputs):
        """The operations that lead from `inputs` to `outputs`, in execution order."""
        needed, wanted = {}, list(outputs)
        while wanted:
            tensor = wanted.pop()
            if tensor in inputs or tensor in self.constants:
                continue
            if tensor not in self.producers:
                raise ValueError(f"{tensor} does not come from {', '.join(inputs)}")
            place, operation = self.producers[tensor]
            if place not in needed:
                needed[place] = operation
                wanted += operation.inputs
        return [needed[place] for place in sorted(needed)]


class Converter:
    """Translates one cut of a TFLite graph, operation by operation."""

    def __init__(self, graph, network):
        self._graph = graph
        self._network = network
        self._renamed = {**network.inputs, **network.outputs}
        self._nodes = []
        self._initializers = []

    def model(self):
        for operation in self._graph.between(self._network.inputs, self._network.outputs):
            translate = getattr(self, "_" + operation.kind.lower(), None)
            if translate is None:
                raise ValueError(f"no translation for {operation.kind} ({operation.output})")
            translate(operation)
        graph = helper.make_graph(
            self._nodes,
            self._network.file.removesuffix(".onnx"),
            [self._value(tensor) for tensor in self._network.inputs],
            [self._value(tensor) for tensor in self._network.outputs],
            self._initializers,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="faceplay models/convert.py",
            doc_string=f"From {self._network.source.member} of MediaPipe 0.10.14, Apache-2.0.",
        )
        onnx.checker.check_model(model, full_check=True)
        return model

    def _name(self, tensor):
        return self._renamed.get(tensor, tensor)

    def _value(self, tensor):
        batch, height, width, channels = self._graph.shapes[tensor]
        return helper.make_tensor_value_info(self._name(tensor), TensorProto.FLOAT, [batch, channels, height, width])

    def _constant(self, name, values):
        self._initializers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(self, kind, operation, inputs, **attributes):
        output = self._name(operation.output)
        self._nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))

    @staticmethod
    def _options(operation, table):
        options = table()
        options.Init(operation.options.Bytes, operation.options.Pos)
        return options

    @staticmethod
    def _window(options, kernel):
        """The attributes that convolutions and pools share. TFLite's SAME puts the odd pixel at the end."""
        if options.FusedActivationFunction() != tflite.ActivationFunctionType.NONE:
            raise ValueError("fused activations are not translated")
        padding = {tflite.Padding.SAME: "SAME_UPPER", tflite.Padding.VALID: "VALID"}[options.Padding()]
        return {
            "kernel_shape": list(kernel),
            "strides": [options.StrideH(), options.StrideW()],
            "auto_pad": padding,
        }

    def _convolution(self, operation, options, weights, group):
        if (options.DilationHFactor(), options.DilationWFactor()) != (1, 1):
            raise ValueError("dilated convolutions are not translated")
        output = self._name(operation.output)
        inputs = [
            self._name(operation.inputs[0]),
            self._constant(f"{output}/weights", weights),
            self._constant(f"{output}/bias", self._graph.constants[operation.inputs[2]]),
        ]
        self._node("Conv", operation, inputs, group=group, **self._window(options, weights.shape[2:]))

    def _conv_2d(self, operation):
        weights = self._graph.constants[operation.inputs[1]].transpose(0, 3, 1, 2)  # OHWI -> OIHW
        self._convolution(operation, self._options(operation, tflite.Conv2DOptions), weights, 1)

    def _depthwise_conv_2d(self, operation):
        options = self._options(operation, tflite.DepthwiseConv2DOptions)
        if options.DepthMultiplier() != 1:
            raise ValueError("depth multipliers are not translated")
        weights = self._graph.constants[operation.inputs[1]].transpose(3, 0, 1, 2)  # 1HWC -> C1HW
        self._convolution(operation, options, weights, weights.shape[0])

    def _max_pool_2d(self, operation):
        options = self._options(operation, tflite.Pool2DOptions)
        window = self._window(options, (options.FilterHeight(), options.FilterWidth()))
        self._node("MaxPool", operation, [self._name(operation.inputs[0])], **window)

    def _prelu(self, operation):
        slopes = self._graph.constants[operation.inputs[1]].reshape(-1, 1, 1)
        slopes = self._constant(f"{self._name(operation.output)}/slopes", slopes)
        self._node("PRelu", operation, [self._name(operation.inputs[0]), slopes])

    def _relu(self, operation):
        self._node("Relu", operation, [self._name(operation.inputs[0])])

    def _add(self, operation):
        if self._options(operation, tflite.AddOptions).FusedActivationFunction() != tflite.ActivationFunctionType.NONE:
            raise ValueError("fused activations are not translated")
        self._node("Add", operation, [self._name(tensor) for tensor in operation.inputs])

    def _pad(self, operation):
        before, after = self._graph.constants[operation.inputs[1]][[0, 3, 1, 2]].T.astype(np.int64)  # NHWC -> NCHW
        pads = self._constant(f"{self._name(operation.output)}/pads", np.concatenate([before, after]))
        self._node("Pad", operation, [self._name(operation.inputs[0]), pads], mode="constant")


def read_source(wheel, source):
    data = wheel.read(source.member)
    if hashlib.sha256(data).hexdigest() != source.sha256:
        raise ValueError(f"{source.member} is not the file of MediaPipe 0.10.14")
    return data


def main():
    parser = argparse.ArgumentParser(description="Convert MediaPipe's face networks to ONNX.")
    parser.add_argument("wheel", type=pathlib.Path, help="mediapipe-0.10.14-*.whl")
    parser.add_argument("output", type=pathlib.Path, help="directory to write to")
    arguments = parser.parse_args()
    checksums = []
    with zipfile.ZipFile(arguments.wheel) as wheel:
        for network in NETWORKS:
            graph = TFLiteGraph(read_source(wheel, network.source))
            data = Converter(graph, network).model().SerializeToString(deterministic=True)
            (arguments.output / network.file).write_bytes(data)
            checksums.append(f"{hashlib.sha256(data).hexdigest()}  {network.file}\n")
        (arguments.output / LICENCE_FILE).write_bytes(wheel.read(LICENCE_MEMBER))
    (arguments.output / CHECKSUM_FILE).write_text("".join(checksums))


if __name__ == "__main__":
    try:
        main()
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        sys.exit(f"convert.py: {error}")
