"""Who climbs: what a patient player would do, seeing the world as the page is told of it."""

# As the bot of the levels' own tests plays: standing this near to an edge is safe; a jump by which one stands still.
SAFE_EDGE = 25
NEAR, SLOW = 15, 60
# Seconds in which the body comes to rest once the head does.
COASTING = 0.25


def plan(world, level):
    """Steering -1…1 and whether to jump: walk to where the jump begins, jump, steer to the next platform's middle."""
    body, platforms = world["players"][0], level["platforms"]
    safe = body["safePlatform"]
    if safe >= len(platforms) - 1:
        return 0, False
    here, following = platforms[safe], platforms[safe + 1]
    ahead = body["x"] + body["vx"] * COASTING
    if not body["isStanding"]:
        # The second jump at the top of the first where one is not enough, or to be saved by it.
        is_high = following["top"] - here["top"] > 150
        jumps = body["vy"] < (150 if is_high else -150) and body["y"] < following["top"] + (0 if is_high else 20)
        return steering(following["x"] - ahead, 60), jumps
    reach = max(here["width"] / 2 - SAFE_EDGE, 0)
    way = min(max(following["x"], here["x"] - reach), here["x"] + reach) - ahead
    jumps = abs(way) < NEAR and abs(body["vx"]) < SLOW
    return (steering(following["x"] - ahead, 60) if jumps else steering(way, 150)), jumps


def steering(way, full):
    """None when it is near enough, else the more the farther."""
    return 0 if abs(way) < 10 else min(max(way / full, -1), 1)
