#!/usr/bin/env python3
"""Reads a Holdfast store by FORMAT.md alone: an independent witness for the tests.

Prints each record as a JSON line {"table": ..., "id": ..., "record": ...} in byte order of keys.
Exits with 1 and a message when proven data is damaged. It shows the committed prefix, as a reader
without a writer beside it does.
"""
import datetime, json, os, struct, sys

M64 = (1 << 64) - 1
TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)

def crc32c(data, seed=0):
    crc = seed ^ 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF

P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)

def rotate(x, n): return (x << n | x >> 64 - n) & M64
def lane(acc, word): return rotate(acc + word * P2 & M64, 31) * P1 & M64

def xxh64(data, seed=0):
    i, size = 0, len(data)
    if size >= 32:
        v = [seed + P1 + P2 & M64, seed + P2 & M64, seed, seed - P1 & M64]
        while i + 32 <= size:
            v = [lane(a, w) for a, w in zip(v, struct.unpack_from("<4Q", data, i))]
            i += 32
        h = sum(rotate(a, n) for a, n in zip(v, (1, 7, 12, 18))) & M64
        for a in v:
            h = (h ^ lane(0, a)) * P1 + P4 & M64
    else:
        h = seed + P5 & M64
    h = h + size & M64
    while i + 8 <= size:
        h = rotate(h ^ lane(0, struct.unpack_from("<Q", data, i)[0]), 27) * P1 + P4 & M64
        i += 8
    if i + 4 <= size:
        h = rotate(h ^ struct.unpack_from("<I", data, i)[0] * P1 & M64, 23) * P2 + P3 & M64
        i += 4
    for byte in data[i:]:
        h = rotate(h ^ byte * P5 & M64, 11) * P1 & M64
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32

def damage(message):
    sys.exit("damaged: " + message)

def header(data, letter, starts=(0, 4096)):
    for start in starts:
        copy = data[start:start + 4096]
        if copy[:8] != b"\x89HF" + letter + b"\r\n\x1a\n":
            continue
        version, length = struct.unpack_from("<II", copy, 8)
        if length > len(copy) or crc32c(copy[:length - 4]) != struct.unpack_from("<I", copy, length - 4)[0]:
            continue
        if version != 1:
            damage("version %d is not known" % version)
        return copy
    return None

def frame(data, at, salt):
    if at + 48 > len(data):
        return None
    x = salt ^ at * 0x9E3779B97F4A7C15 & M64
    check, kind, zero, length, epoch, number, watermark, chain, payload_check = struct.unpack_from(
        "<IHHIIQQQQ", data, at)
    if kind not in (1, 2, 3, 4) or zero or check != crc32c(data[at + 4:at + 48], (x ^ x >> 32) & 0xFFFFFFFF):
        return None
    return kind, length, number, watermark, chain, payload_check

def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at

def apply(records, payload, frame_number, is_move):
    at = 0
    while at < len(payload):
        number, at = varint(payload, at) if is_move else (frame_number, at)
        check, kind = struct.unpack_from("<IB", payload, at)
        start = at
        key_length, at = varint(payload, at + 5)
        value_length, at = varint(payload, at) if kind == 1 else (0, at)
        for _ in range(2 if kind == 3 else 0):
            _, at = varint(payload, at)
        key, at = payload[at:at + key_length], at + key_length
        value, at = payload[at:at + value_length], at + value_length
        if check != xxh64(payload[start + 4:at], number) & 0xFFFFFFFF:
            damage("an entry of commit %d" % number)
        if is_move and records.get(key, (0, None))[0] > number:
            continue
        if kind == 1:
            records[key] = (number, value)
        else:
            records.pop(key, None)

def retired_segments(path, identity):
    if not os.path.exists(path + "/retired"):
        return [], None
    data = open(path + "/retired", "rb").read()
    for copy in (data[:len(data) // 2], data[len(data) // 2:]):
        head = header(copy, b"R", (0,))
        if head is None or head[16:32] != identity[16:32]:
            continue
        start, = struct.unpack_from("<I", copy, 12)
        length, check = struct.unpack_from("<QQ", copy, 32)
        body = copy[start:start + length]
        if len(body) == length and xxh64(body) == check:
            return list(struct.iter_unpack("<IIQQQQQQ", body)), struct.unpack_from("<IIQQ", copy, 48)
    damage("both copies of the list of retired segments")

def read(path):
    identity = header(open(path + "/identity", "rb").read(), b"I") or damage("identity")
    ranges, place = retired_segments(path, identity)
    segments = []
    for name in sorted(n for n in os.listdir(path) if n.endswith(".segment")):
        if any(r[0] <= int(name[:16], 16) <= r[1] for r in ranges):
            continue
        data = open(os.path.join(path, name), "rb").read()
        head = header(data, b"S")
        if head is None:
            break  # the next segment in the making
        if head[32:48] != identity[16:32]:
            damage(name + " belongs to another store")
        segments.append((name, data, head))
    records, last, proven, end, chain_value, expected, reached = {}, 0, 0, 0, 0, 1, place is None
    for index, (name, data, head) in enumerate(segments):
        number, salt, first, before_length, before_chain = struct.unpack_from("<5Q", head, 48)
        for r in ranges:
            if r[0] == expected:
                if (r[2], r[4], r[5]) != (last + 1, end, chain_value):
                    damage("the retired segments do not continue segment %d" % (expected - 1))
                expected, last, end, chain_value = r[1] + 1, r[3] - 1, r[6], r[7]
        if (number, first, before_length, before_chain) != (expected, last + 1, end, chain_value):
            damage(name + " does not continue the segment before it")
        expected += 1
        limit = len(data)
        if index + 1 < len(segments):
            limit = struct.unpack_from("<Q", segments[index + 1][2], 72)[0]
        limit = next((r[4] for r in ranges if r[0] == expected), limit)
        end, chain_value = 8192, xxh64(head[:128], salt)
        while True:
            reached = reached or (number, end, chain_value) == (place[0], place[2], place[3])
            if end >= limit:
                break
            found = frame(data, end, salt)
            if found is None or found[2] != last + (found[0] == 1) or found[4] != chain_value:
                break
            payload = data[end + 48:end + 48 + found[1]]
            if len(payload) != found[1] or xxh64(payload, salt ^ found[2]) != found[5]:
                break
            apply(records, payload, found[2], found[0] == 4)
            last, proven = found[2], max(proven, found[3])
            chain_value = xxh64(data[end:end + 48], salt)
            end += 48 + (found[1] + 7 & ~7)
        if index + 1 < len(segments):
            if end != limit:
                damage("%s at offset %d" % (name, end))
            proven = max(proven, last)
        else:
            rest = (frame(data, at, salt) for at in range(end, len(data), 8))
            proven = max([proven] + [f[3] for f in rest if f])
    if os.path.exists(path + "/closed"):
        closed = header(open(path + "/closed", "rb").read(), b"C", (0,))
        proven = max(proven, struct.unpack_from("<Q", closed, 32)[0] if closed else 0)
    if last < proven:
        damage("commits %d to %d are missing" % (last + 1, proven))
    if not reached:
        damage("the journal ends before what compaction had made durable")
    return {key: value for key, (_, value) in records.items()}

def timestamp(nanoseconds, digits):
    seconds, fraction = divmod(nanoseconds, 10**9)
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S") + (("." + "%09d" % fraction)[:digits + 1] if digits else "") + "Z"

def value(data, at):
    tag, at = data[at], at + 1
    if tag >= 0x80:
        return data[at:at + tag - 0x80].decode(), at + tag - 0x80
    if 0x40 <= tag:
        return tag - 0x40, at
    if tag < 3:
        return (None, False, True)[tag], at
    if tag < 8:
        code, size = (("<b", 1), ("<h", 2), ("<i", 4), ("<q", 8), ("<d", 8))[tag - 3]
        return struct.unpack_from(code, data, at)[0], at + size
    if tag == 0x0B:
        h = data[at:at + 16].hex()
        return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:])), at + 16
    if tag >= 0x0C:
        return timestamp(struct.unpack_from("<q", data, at)[0], 3 * (tag - 0x0C)), at + 8
    length, at = struct.unpack_from("<I", data, at)[0], at + 4
    end = at + length
    if tag == 0x08:
        return data[at:end].decode(), end
    return (elements if tag == 0x09 else fields)(data, at, end), end

def elements(data, at, end):
    result = []
    while at < end:
        element, at = value(data, at)
        result.append(element)
    return result

def fields(data, at, end):
    result = {}
    while at < end:
        length, at = data[at], at + 1
        if length == 0xFF:
            length, at = struct.unpack_from("<I", data, at)[0], at + 4
        name, at = data[at:at + length].decode(), at + length
        result[name], at = value(data, at)
    return result

if __name__ == "__main__":
    for key, document in sorted(read(sys.argv[1]).items()):
        table, _, record_id = key.partition(b"\0")
        if table:
            print(json.dumps({"table": table.decode(), "id": record_id.decode(),
                              "record": fields(document, 1, len(document))}, ensure_ascii=False))
