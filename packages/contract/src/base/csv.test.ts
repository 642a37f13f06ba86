import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("a line of CSV quotes what it must, and disarms formulas", () => {
  expect(csvLine(["a", null, 'b "c"', "d,e", "f\r\ng"])).toBe('a,,"b ""c""","d,e","f\r\ng"\r\n');
  expect(csvLine(["=1+1", "+1", "-1", "@x", "\tx", "x=1"])).toBe("'=1+1,'+1,'-1,'@x,'\tx,x=1\r\n");
  expect(csvLine(["\u200f=1", "\ufeff+1", "\u200fx=1"])).toBe("'\u200f=1,'\ufeff+1,\u200fx=1\r\n");
  expect(csvLine(["＝1", "＋1", "－1", "＠x", "\ufeff＝1"])).toBe("'＝1,'＋1,'－1,'＠x,'\ufeff＝1\r\n");
  expect(csvLine(['=HYPERLINK("x","y")'])).toBe('"\'=HYPERLINK(""x"",""y"")"\r\n');
  expect(csvLine([-1.5, 0, "-1.5"])).toBe("-1.5,0,'-1.5\r\n");
});
