// GestureStream
