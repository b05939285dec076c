#!/usr/bin/env python3
"""Checks the signature of a round of drand (its network "quicknet") with Python's standard library and nothing else.

    python3 drand_standalone.py 657413 b713718a…

It is written to be read beside verify_standalone.py, which uses it where both lie in one folder. The network signs
the number of each round with BLS over the curve BLS12-381: a signature S and a message M are points of a group G1, the
public key K and a fixed point B are points of another, G2, and S is right where the pairings e(S, B) and e(M, K) are
the same. Numbers and names are those of RFC 9380 (how a message becomes a point) and of the draft on BLS signatures.
It takes a second, and takes no care to hide anything: there is no secret here.
"""

import hashlib
import sys

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB  # of the field
R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001  # points of the two groups, a prime
X = 0xD201000000010000  # the curve is made from minus this number; the loop of the pairing counts along it
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
BASE = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)


# ---- numbers: of the field, pairs a + b·i with i² = -1, and six pairs, a polynomial in w with w⁶ = 1 + i ------------


def root(a):
    """A square root in the field; None where there is none."""
    y = pow(a, (P + 1) // 4, P)
    return y if y * y % P == a % P else None


def plus(a, b):
    return (a[0] + b[0]) % P, (a[1] + b[1]) % P


def minus(a, b):
    return (a[0] - b[0]) % P, (a[1] - b[1]) % P


def times(a, b):
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P


def inverse(a):
    norm = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return a[0] * norm % P, -a[1] * norm % P


def root_of_pair(a):
    """A square root of a pair; None where there is none."""
    norm = root(a[0] * a[0] + a[1] * a[1])
    halves = [] if norm is None else [(a[0] + sign * norm) * pow(2, -1, P) for sign in (1, -1)]
    for x in [root(half) for half in halves]:
        if x:
            y = x, a[1] * pow(2 * x, -1, P) % P
            return y if times(y, y) == a else None
    return None


def times12(a, b):
    """The product of two numbers of six pairs."""
    sums = [(0, 0)] * 11
    for i, one in enumerate(a):
        if one != (0, 0):
            for j, other in enumerate(b):
                sums[i + j] = plus(sums[i + j], times(one, other))
    return [plus(low, times((1, 1), high)) for low, high in zip(sums[:6], [*sums[6:], (0, 0)], strict=True)]


# ---- points: (x, y), None at infinity ------------------------------------------------------------------------------


def add(p, q):
    """The sum of two points of G1's curve, y² = x³ + 4."""
    if p is None or q is None:
        return q if p is None else p
    (x1, y1), (x2, y2) = p, q
    if x1 == x2 and (y1 + y2) % P == 0:
        return None
    slope = 3 * x1 * x1 * pow(2 * y1, -1, P) if p == q else (y2 - y1) * pow(x2 - x1, -1, P)
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def multiple(n, p):
    found = None
    for bit in f"{n:b}":
        found = add(found, found)
        found = add(found, p) if bit == "1" else found
    return found


def point(packed):
    """A point of G1 from its 48 bytes; None where they are none, or one of another group."""
    flags, x = int.from_bytes(packed, "big") >> 381, int.from_bytes(packed, "big") % (1 << 381)
    y = root(x**3 + 4) if len(packed) == 48 and flags & 6 == 4 and x < P else None
    if y is None:
        return None
    found = x, P - y if (y > P - y) != bool(flags & 1) else y
    return found if multiple(R, found) is None else None


def key_point(packed):
    """A point of G2 from its 96 bytes, which are known to be one: y² = x³ + 4 + 4i."""
    high, low = int.from_bytes(packed[:48], "big"), int.from_bytes(packed[48:], "big")
    x = low, high % (1 << 381)
    y = root_of_pair(plus(times(times(x, x), x), (4, 4)))
    larger = (y[1], y[0]) > ((-y[1]) % P, (-y[0]) % P)
    return x, y if larger == bool(high >> 381 & 1) else minus((0, 0), y)


# ---- the pairing ---------------------------------------------------------------------------------------------------


def loop(p, q):
    """What the pairing of p in G1 and q in G2 is before the last power: the product of lines through multiples of q."""
    found, t = [(1, 0)] + [(0, 0)] * 5, q
    for bit in f"{X:b}"[1:]:
        line, t = line_through(t, t, p)
        found = times12(times12(found, found), line)
        if bit == "1":
            line, t = line_through(t, q, p)
            found = times12(found, line)
    return found


def line_through(a, b, p):
    """The line through two points of G2's curve, taken at p; and their sum."""
    (x1, y1), (x2, y2) = a, b
    if a == b:
        slope = times(times((3, 0), times(x1, x1)), inverse(plus(y1, y1)))
    else:
        slope = times(minus(y2, y1), inverse(minus(x2, x1)))
    x = minus(minus(times(slope, slope), x1), x2)
    y = minus(times(slope, minus(x1, x)), y1)
    at_p = [minus(times(slope, x1), y1), (0, 0), times(slope, (-p[0] % P, 0)), (p[1], 0), (0, 0), (0, 0)]
    return at_p, (x, y)


def pairings_cancel(pairs):
    """Whether the product of the pairings is one."""
    product = [(1, 0)] + [(0, 0)] * 5
    for p, q in pairs:
        product = times12(product, loop(p, q))
    found = [(1, 0)] + [(0, 0)] * 5
    for bit in f"{(P**12 - 1) // R:b}":
        found = times12(found, found)
        found = times12(found, product) if bit == "1" else found
    return found == [(1, 0)] + [(0, 0)] * 5


# ---- from a message to a point (RFC 9380: BLS12381G1_XMD:SHA-256_SSWU_RO_) -------------------------------------------


def expand(message, length):
    """So many bytes from a message."""
    ending = DOMAIN + bytes([len(DOMAIN)])
    first = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\0" + ending).digest()
    blocks = [hashlib.sha256(first + b"\1" + ending).digest()]
    while len(blocks) * 32 < length:
        mixed = bytes(a ^ b for a, b in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.sha256(mixed + bytes([len(blocks) + 1]) + ending).digest())
    return b"".join(blocks)[:length]


def on_curve(u):
    """A point of the curve from a number: first of a curve beside it, y² = x³ + A·x + B, then over to ours."""
    z = 11 * u * u % P
    below = (z * z + z) % P
    x = B * (1 + below) * pow(-A * below, -1, P) % P if below else B * pow(11 * A, -1, P) % P
    y = root(x**3 + A * x + B)
    if y is None:
        x = z * x % P
        y = root(x**3 + A * x + B)
    y = y if y % 2 == u % 2 else P - y
    over = [sum(c * pow(x, i, P) for i, c in enumerate(row)) for row in (X_TOP, X_BELOW, Y_TOP, Y_BELOW)]
    return over[0] * pow(over[1], -1, P) % P, y * over[2] * pow(over[3], -1, P) % P


def hashed(message):
    """The point of G1 that a message stands for."""
    raw = expand(message, 128)
    u, v = (int.from_bytes(half, "big") % P for half in (raw[:64], raw[64:]))
    return multiple(X + 1, add(on_curve(u), on_curve(v)))


def is_signed(number, signature):
    """Whether the network signed a round so. signature: 48 bytes."""
    found = point(signature)
    if found is None:
        return False
    message = hashed(hashlib.sha256(number.to_bytes(8, "big")).digest())
    x, y = found
    return pairings_cancel([((x, P - y), key_point(BASE)), (message, key_point(KEY))])


# ---- the numbers of the curve beside ours, and of the way over (RFC 9380, 8.8.1 and E.2) -----------------------------


def read(digits):
    return [int(digits[at : at + 96], 16) for at in range(0, len(digits), 96)]


A, B = read(
    "00144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d"
    "12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0"
)
X_TOP = read(
    "11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7"
    "17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c356e834eef1b3cb83bb"
    "0d54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0"
    "1778e7166fcc6db74e0609d307e55412d7f5e4656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861"
    "0e99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9"
    "1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983"
    "0d6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f9c86b2a8da25128c1052ecaddd7f225a139ed84"
    "17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e"
    "080d3cf1f9a78fc47b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317"
    "169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0327797f241067be390c9e"
    "10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b"
    "06e08c248e260e70bd1e962381edee3d31d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229"
)
X_BELOW = read(
    "08ca8d548cff19ae18b2e62f4bd3fa6f01d5ef4ba35b48ba9c9588617fc8ac62b558d681be343df8993cf9fa40d21b1c"
    "12561a5deb559c4348b4711298e536367041e8ca0cf0800c0126c2588c48bf5713daa8846cb026e9e5c8276ec82b3bff"
    "0b2962fe57a3225e8137e629bff2991f6f89416f5a718cd1fca64e00b11aceacd6a3d0967c94fedcfcc239ba5cb83e19"
    "03425581a58ae2fec83aafef7c40eb545b08243f16b1655154cca8abc28d6fd04976d5243eecf5c4130de8938dc62cd8"
    "13a8e162022914a80a6f1d5f43e7a07dffdfc759a12062bb8d6b44e833b306da9bd29ba81f35781d539d395b3532a21e"
    "0e7355f8e4e667b955390f7f0506c6e9395735e9ce9cad4d0a43bcef24b8982f7400d24bc4228f11c02df9a29f6304a5"
    "0772caacf16936190f3e0c63e0596721570f5799af53a1894e2e073062aede9cea73b3538f0de06cec2574496ee84a3a"
    "14a7ac2a9d64a8b230b3f5b074cf01996e7f63c21bca68a81996e1cdf9822c580fa5b9489d11e2d311f7d99bbdcc5a5e"
    "0a10ecf6ada54f825e920b3dafc7a3cce07f8d1d7161366b74100da67f39883503826692abba43704776ec3a79a1d641"
    "095fc13ab9e92ad4476d6e3eb3a56680f682b4ee96f7d03776df533978f31c1593174e4b4b7865002d6384d168ecdd0a"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"
)
Y_TOP = read(
    "090d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33"
    "134996a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696"
    "00cc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d26d521628b00523b8dfe240c72de1f6"
    "01f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb"
    "08cc03fdefe0ff135caf4fe2a21529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb"
    "16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23ab13633a5f0"
    "04ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2"
    "0987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29"
    "09fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587"
    "0e1bba7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30"
    "19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e61031bf3a5cce3fbafce813711ad011c132"
    "18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e"
    "0b182cac101b9399d155096004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8"
    "0245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d9d3f5db980133"
    "05c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b"
    "15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604"
)
Y_BELOW = read(
    "16112c4c3a9c98b252181140fad0eae9601a6de578980be6eec3232b5be72e7a07f3688ef60c206d01479253b03663c1"
    "1962d75c2381201e1a0cbd6c43c348b885c84ff731c4d59ca4a10356f453e01f78a4260763529e3532f6102c2e49a03d"
    "058df3306640da276faaae7d6e8eb15778c4855551ae7f310c35a5dd279cd2eca6757cd636f96f891e2538b53dbf67f2"
    "16b7d288798e5395f20d23bf89edb4d1d115c5dbddbcd30e123da489e726af41727364f2c28297ada8d26d98445f5416"
    "0be0e079545f43e4b00cc912f8228ddcc6d19c9f0f69bbb0542eda0fc9dec916a20b15dc0fd2ededda39142311a5001d"
    "08d9e5297186db2d9fb266eaac783182b70152c65550d881c5ecd87b6f0f5a6449f38db9dfa9cce202c6477faaf9b7ac"
    "166007c08a99db2fc3ba8734ace9824b5eecfdfa8d0cf8ef5dd365bc400a0051d5fa9c01a58b1fb93d1a1399126a775c"
    "16a3ef08be3ea7ea03bcddfabba6ff6ee5a4375efa1f4fd7feb34fd206357132b920f5b00801dee460ee415a15812ed9"
    "1866c8ed336c61231a1be54fd1d74cc4f9fb0ce4c6af5920abc5750c4bf39b4852cfe2f7bb9248836b233d9d55535d4a"
    "167a55cda70a6e1cea820597d94a84903216f763e13d87bb5308592e7ea7d4fbc7385ea3d529b35e346ef48bb8913f55"
    "04d2f259eea405bd48f010a01ad2911d9c6dd039bb61a6290e591b36e636a5c871a5c29f4f83060400f8b49cba8f6aa8"
    "0accbb67481d033ff5852c1e48c50c477f94ff8aefce42d28c0f9a88cea7913516f968986f7ebbea9684b529e2561092"
    "0ad6b9514c767fe3c3613144b45f1496543346d98adf02267d5ceef9a00d9b8693000763e3b90ac11e99b138573345cc"
    "02660400eb2e4f3b628bdd0d53cd76f2bf565b94e72927c1cb748df27942480e420517bd8714cc80d1fadc1326ed06f7"
    "0e0fa1d816ddc03e6b24255e0d7819c171c40f65e273b853324efcd6356caa205ca2f570f13497804415473a1d634b8f"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"
)


if __name__ == "__main__":
    right = is_signed(int(sys.argv[1]), bytes.fromhex(sys.argv[2]))
    print("drand signed this" if right else "drand did not sign this")
    sys.exit(0 if right else 1)
