// faceplay: play by face.
import Glibc

exit(Program.run())
