/** Limits of the caller; larger profiles are left to the general reader, which refuses or cuts them. */
export let samplesMax: i32 = 0;
export let locationsMax: i32 = 0;
export let linesMax: i32 = 0;
export let functionsMax: i32 = 0;
export let stringsMax: i32 = 0;
export let framesMax: i32 = 0;
export let labelsMax: i32 = 0;
export let depthMax: i32 = 0;
export let labelsPerSampleMax: i32 = 0;
export let nameBytesMax: i32 = 0;
export let mappingsMax: i32 = 0;

/** In the order of the names above, as 32-bit words. */
export function takeLimits(at: usize): void {
  samplesMax = load<i32>(at);
  locationsMax = load<i32>(at, 4);
  linesMax = load<i32>(at, 8);
  functionsMax = load<i32>(at, 12);
  stringsMax = load<i32>(at, 16);
  framesMax = load<i32>(at, 20);
  labelsMax = load<i32>(at, 24);
  depthMax = load<i32>(at, 28);
  labelsPerSampleMax = load<i32>(at, 32);
  nameBytesMax = load<i32>(at, 36);
  mappingsMax = load<i32>(at, 40);
}
