// `TextEncoder` and `TextDecoder`, for UTF-8 as the Encoding Standard has it. Runs inside the guest, made at first use.

/** Self-contained: its text is evaluated in the guest. */
export const guestText = () => {
  const { fromCharCode } = String;
  const { isView } = ArrayBuffer;
  const LABELS = ['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'];
  /** What the first byte of a character has beside its bits, by how many bytes it takes. */
  const LEADS = [0, 0, 0xc0, 0xe0, 0xf0];
  /** Characters joined at once. */
  const CHUNK = 4096;
  const REPLACEMENT = 0xfffd;

  /** Code points of a text; a half of a pair counts as U+FFFD. */
  const pointAt = (text: string, at: number): number => {
    const point = text.codePointAt(at) ?? 0;
    return point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point;
  };
  const sizeOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);
  const write = (point: number, size: number, into: Uint8Array, at: number): void => {
    into[at] = (LEADS[size] as number) | (point >> (6 * (size - 1)));
    for (let left = size - 2; left >= 0; left -= 1) into[at + size - 1 - left] = 0x80 | ((point >> (6 * left)) & 0x3f);
  };

  class TextEncoder {
    get encoding(): string {
      return 'utf-8';
    }
    encode(input: unknown = ''): Uint8Array {
      const text = `${input}`;
      let length = 0;
      for (let at = 0; at < text.length; at += 1) {
        const size = sizeOf(pointAt(text, at));
        length += size;
        if (size === 4) at += 1;
      }
      const bytes = new Uint8Array(length);
      this.encodeInto(text, bytes);
      return bytes;
    }
    encodeInto(input: unknown, into: unknown): { read: number; written: number } {
      if (!(into instanceof Uint8Array)) throw new TypeError('encodeInto takes a text and a Uint8Array');
      const text = `${input}`;
      let read = 0;
      let written = 0;
      while (read < text.length) {
        const point = pointAt(text, read);
        const size = sizeOf(point);
        if (written + size > into.length) break;
        write(point, size, into, written);
        written += size;
        read += size === 4 ? 2 : 1;
      }
      return { read, written };
    }
  }

  class TextDecoder {
    readonly #fatal: boolean;
    readonly #ignoreBOM: boolean;
    /** Of the character that goes on in the next chunk: bytes still needed, what is known of it, the next byte's range. */
    #needed = 0;
    #point = 0;
    #seen = 0;
    #low = 0x80;
    #high = 0xbf;
    #begun = false;
    #streams = false;

    constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
      const name = `${label}`.trim().toLowerCase();
      if (!LABELS.includes(name)) throw new RangeError(`The encoding "${name}" is not supported; there is utf-8`);
      this.#fatal = Boolean(options?.fatal);
      this.#ignoreBOM = Boolean(options?.ignoreBOM);
    }
    get encoding(): string {
      return 'utf-8';
    }
    get fatal(): boolean {
      return this.#fatal;
    }
    get ignoreBOM(): boolean {
      return this.#ignoreBOM;
    }

    decode(input?: unknown, options: { stream?: boolean } = {}): string {
      let bytes: Uint8Array = new Uint8Array(0);
      if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) bytes = new Uint8Array(input);
      else if (isView(input)) bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
      else if (input !== undefined) throw new TypeError('decode takes an ArrayBuffer or a view of one');
      if (!this.#streams) this.#reset();
      this.#streams = Boolean(options?.stream);
      let text = '';
      let units: number[] = [];
      const put = (point: number): void => {
        if (!this.#begun) {
          this.#begun = true;
          if (point === 0xfeff && !this.#ignoreBOM) return;
        }
        if (point < 0x10000) units.push(point);
        else units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
        if (units.length < CHUNK) return;
        text += fromCharCode(...units);
        units = [];
      };
      const fault = (): void => {
        if (this.#fatal) {
          this.#streams = false;
          throw new TypeError('The encoded data was not valid for encoding utf-8');
        }
        put(REPLACEMENT);
      };
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if (this.#needed === 0) {
          if (byte < 0x80) put(byte);
          else if (!this.#opens(byte)) fault();
        } else if (byte < this.#low || byte > this.#high) {
          this.#needed = 0;
          fault();
          at -= 1; // it may begin a character
        } else {
          this.#low = 0x80;
          this.#high = 0xbf;
          this.#point = (this.#point << 6) | (byte & 0x3f);
          this.#seen += 1;
          if (this.#seen !== this.#needed) continue;
          this.#needed = 0;
          put(this.#point);
        }
      }
      if (!this.#streams && this.#needed > 0) {
        this.#needed = 0;
        fault();
      }
      return text + fromCharCode(...units);
    }

    #opens(byte: number): boolean {
      this.#seen = 0;
      this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
      this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
      this.#needed = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      this.#point = byte & (0x3f >> this.#needed);
      return this.#needed > 0;
    }
    #reset(): void {
      this.#needed = 0;
      this.#begun = false;
    }
  }
  for (const [name, made] of Object.entries({ TextEncoder, TextDecoder })) {
    Object.defineProperty(made, 'name', { value: name, configurable: true });
    Object.defineProperty(made.prototype, Symbol.toStringTag, { value: name, configurable: true });
  }
  return { TextEncoder, TextDecoder };
};
