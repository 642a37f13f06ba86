/** Names of the fields that were left empty; the first of them gets the focus. */
export function focusBlank(form: HTMLFormElement): readonly string[] {
  const blank = [...form.querySelectorAll("input")].filter((input) => input.value.trim() === "");
  blank[0]?.focus();
  return blank.map((input) => input.name);
}
