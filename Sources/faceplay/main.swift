// faceplay: play by face.
import Glibc

exit(CommandLine.run(Array(CommandLine.arguments.dropFirst())))
