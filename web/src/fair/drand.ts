/** Checks the signature of a drand round with the pinned key of quicknet. Large, so fetched only where there is one. */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { hash, u64, unhex, type Bytes } from "./bytes";

const KEY =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
  "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** Whether drand signed this round so. */
export function signedByDrand(round: number, signature: Bytes): boolean {
  const { shortSignatures } = bls12_381;
  try {
    return shortSignatures.verify(signature, shortSignatures.hash(hash(u64(round)), DOMAIN), unhex(KEY, 96));
  } catch {
    return false; // no point of the curve
  }
}
