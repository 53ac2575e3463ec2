// FacePlayService
