// The table of contents of a zip file, as far as tests of the package look at it.

export interface Entry {
  name: string;
  /** Unix permissions, as in 0o755. */
  mode: number;
}

export function entries(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const count = zip.readUInt16LE(end + 10);
  const result: Entry[] = [];
  for (let at = zip.readUInt32LE(end + 16); result.length < count; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [number, number, number];
    const mode = (zip.readUInt32LE(at + 38) >>> 16) & 0o777;
    result.push({ name: zip.toString('utf8', at + 46, at + 46 + nameLength), mode });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return result;
}
