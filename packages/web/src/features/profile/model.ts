/** `json_heavy` -> `json heavy`. */
export function wordsOf(snakeCase: string): string {
  return snakeCase.replaceAll("_", " ");
}
