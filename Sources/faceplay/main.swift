print("faceplay")
