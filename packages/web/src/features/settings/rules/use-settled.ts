import { useEffect, useState } from "react";

const settledMs = 500;

/** The value once it has not changed for half a second, so that no call follows each key press. */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState({ text, value });
  useEffect(() => {
    if (settled.text === text) return;
    const timer = setTimeout(() => setSettled({ text, value }), settledMs);
    return () => clearTimeout(timer);
  }, [settled.text, text, value]);
  return settled.value;
}
