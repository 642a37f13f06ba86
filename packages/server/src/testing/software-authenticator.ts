import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import type { NewCredential, UsedCredential } from "@flamekeep/contract";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** Flags of authenticator data (Web Authentication, level 3, 6.1). */
const flags = { present: 0x01, verified: 0x04, hasCredential: 0x40 };

interface Use {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the authenticator verified the person, for example by a PIN. */
  readonly isVerified?: boolean;
  /** Replaces the next count. */
  readonly counter?: number;
}

/** A security key in software: makes passkeys for ES256 without attestation, and signs with them. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString("base64url");
  readonly #key: KeyObject;
  readonly #x: Buffer;
  readonly #y: Buffer;
  counter = 0;

  constructor() {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = privateKey.export({ format: "jwk" });
    this.#key = createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" }));
    this.#x = Buffer.from(x, "base64url");
    this.#y = Buffer.from(y, "base64url");
  }

  create({ challenge, origin = "http://localhost:4040", rpId = "localhost" }: Use): NewCredential {
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#data(rpId, flags.present | flags.verified | flags.hasCredential, this.counter),
      Buffer.alloc(16),
      length,
      id,
      cbor(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, this.#x],
          [-3, this.#y],
        ]),
      ),
    ]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData("webauthn.create", challenge, origin),
        attestationObject: cbor(attestation).toString("base64url"),
        transports: ["usb"],
      },
    };
  }

  sign({ challenge, origin = "http://localhost:4040", rpId = "localhost", ...use }: Use): UsedCredential {
    this.counter = use.counter ?? this.counter + 1;
    const verified = use.isVerified === false ? 0 : flags.verified;
    const authData = this.#data(rpId, flags.present | verified, this.counter);
    const clientDataJSON = clientData("webauthn.get", challenge, origin);
    const clientHash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = sign("sha256", Buffer.concat([authData, clientHash]), this.#key);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON,
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    };
  }

  #credential() {
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key" as const,
      clientExtensionResults: {},
    };
  }

  #data(rpId: string, flag: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flag]), count]);
  }
}

function cbor(value: Map<number | string, unknown>): Buffer {
  return Buffer.from(isoCBOR.encode(value as never));
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
}
