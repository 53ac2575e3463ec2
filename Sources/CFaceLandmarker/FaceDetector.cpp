// Finding faces in a picture: MediaPipe's BlazeFace, short range.
//
// Constants are those of MediaPipe 0.10.14's modules/face_detection (face_detection_short_range.pbtxt): anchors of one
// fixed size on two grids, logits clipped at 100, scores of at least 0.5, weighted non-maximum suppression at 0.3.
// Paper: Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019.
#include "FaceDetector.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace faceplay {
namespace {

constexpr int kInputSide = 128;
constexpr float kMinimumScore = 0.5f;
constexpr float kLargestLogit = 100;
constexpr float kSameFaceOverlap = 0.3f;
/// Centre x, y, width, height, then the key points' x, y.
constexpr int kValuesPerAnchor = 4 + 2 * FL_KEY_POINT_COUNT;

/// One grid of anchors: square, with the same number of anchors at the centre of each cell.
struct AnchorGrid {
  int cells;
  int anchorsPerCell;

  constexpr TensorShape shape(int valuesPerAnchor) const { return {anchorsPerCell * valuesPerAnchor, cells, cells}; }
};
constexpr AnchorGrid kFineGrid = {16, 2};
constexpr AnchorGrid kCoarseGrid = {8, 6};

/// A face in the input's pixels.
struct Candidate {
  float score;
  /// The box's top left and bottom right corner, then the key points.
  std::array<fl_point, 2 + FL_KEY_POINT_COUNT> points;

  float left() const { return points[0].x; }
  float top() const { return points[0].y; }
  float right() const { return points[1].x; }
  float bottom() const { return points[1].y; }
  float area() const { return (right() - left()) * (bottom() - top()); }
};

/// Intersection over union of the candidates' boxes.
float overlap(const Candidate &a, const Candidate &b) {
  const float width = std::min(a.right(), b.right()) - std::max(a.left(), b.left());
  const float height = std::min(a.bottom(), b.bottom()) - std::max(a.top(), b.top());
  if (width <= 0 || height <= 0) return 0;
  return width * height / (a.area() + b.area() - width * height);
}

/// Adds the grid's anchors whose score is high enough.
void decode(
    const AnchorGrid &grid, TensorView<const float> boxes, TensorView<const float> logits,
    std::vector<Candidate> &candidates) {
  const float minimumLogit = std::log(kMinimumScore / (1 - kMinimumScore));
  const float cellSide = float(kInputSide) / grid.cells;
  for (int anchor = 0; anchor < grid.anchorsPerCell; ++anchor) {
    for (int cell = 0; cell < grid.cells * grid.cells; ++cell) {
      const int row = cell / grid.cells, column = cell % grid.cells;
      const float logit = std::clamp(logits.at(anchor, row, column), -kLargestLogit, kLargestLogit);
      if (!(logit >= minimumLogit)) continue;
      const fl_point centre = {(column + 0.5f) * cellSide, (row + 0.5f) * cellSide};
      const auto value = [&](int index) { return boxes.at(anchor * kValuesPerAnchor + index, row, column); };
      const auto point = [&](int index) { return fl_point{centre.x + value(index), centre.y + value(index + 1)}; };

      const fl_point middle = point(0);
      const float halfWidth = value(2) / 2, halfHeight = value(3) / 2;
      Candidate candidate;
      candidate.score = 1 / (1 + std::exp(-logit));
      candidate.points[0] = {middle.x - halfWidth, middle.y - halfHeight};
      candidate.points[1] = {middle.x + halfWidth, middle.y + halfHeight};
      for (int i = 0; i < FL_KEY_POINT_COUNT; ++i) candidate.points[2 + i] = point(4 + 2 * i);
      if (halfWidth > 0 && std::isfinite(candidate.area())) candidates.push_back(candidate);
    }
  }
}

/// The mean, weighted by score, of one face's candidates; it keeps the first one's score.
Candidate weightedMean(const std::vector<Candidate> &candidates) {
  float total = 0;
  for (const Candidate &candidate : candidates) total += candidate.score;
  Candidate mean = {candidates.front().score, {}};
  for (const Candidate &candidate : candidates) {
    const float weight = candidate.score / total;
    for (size_t i = 0; i < mean.points.size(); ++i) {
      mean.points[i].x += weight * candidate.points[i].x;
      mean.points[i].y += weight * candidate.points[i].y;
    }
  }
  return mean;
}

/// MediaPipe's weighted non-maximum suppression: the surest candidate and all that overlap it become their mean, then
/// the surest of the rest, and so on.
std::vector<Candidate> mergeOverlapping(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const auto &a, const auto &b) { return a.score > b.score; });
  std::vector<Candidate> merged;
  while (!candidates.empty()) {
    std::vector<Candidate> same = {candidates.front()}, others;
    for (auto candidate = candidates.begin() + 1; candidate != candidates.end(); ++candidate) {
      (overlap(*candidate, same.front()) > kSameFaceOverlap ? same : others).push_back(*candidate);
    }
    merged.push_back(weightedMean(same));
    candidates = std::move(others);
  }
  return merged;
}

}  // namespace

FaceDetector::FaceDetector(const Models &models)
    : network_(models.load(
          FL_MODEL_DETECTOR, {3, kInputSide, kInputSide},
          {{"boxes_16x16", kFineGrid.shape(kValuesPerAnchor)},
           {"scores_16x16", kFineGrid.shape(1)},
           {"boxes_8x8", kCoarseGrid.shape(kValuesPerAnchor)},
           {"scores_8x8", kCoarseGrid.shape(1)}})),
      crop_(kInputSide, Beyond::black, 1 / 127.5f, -1, models.loops()) {}

std::vector<fl_face> FaceDetector::detect(const Picture &picture, const fl_region &region) {
  const CropTransform transform = crop_.cut(picture, region, network_.input());
  network_.run();
  std::vector<Candidate> candidates;
  decode(kFineGrid, network_.output(0), network_.output(1), candidates);
  decode(kCoarseGrid, network_.output(2), network_.output(3), candidates);

  std::vector<fl_face> faces;
  for (const Candidate &candidate : mergeOverlapping(std::move(candidates))) {
    const auto point = [&](size_t index) { return transform.toPicture(candidate.points[index]); };
    fl_face face = {candidate.score, point(0), point(1), {}};
    for (int i = 0; i < FL_KEY_POINT_COUNT; ++i) face.key_points[i] = point(2 + i);
    faces.push_back(face);
  }
  return faces;
}

}  // namespace faceplay
