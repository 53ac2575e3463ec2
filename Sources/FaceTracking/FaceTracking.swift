// FaceTracking
