import Testing

@testable import FaceGeometry
