/** What a finger presses on a phone is 40 px at least; a desktop stays dense. */
export const touchTarget = "max-md:min-h-10 max-md:min-w-10";
