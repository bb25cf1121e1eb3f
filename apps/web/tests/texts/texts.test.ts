/** The page's texts: what a place takes, which form counts, which language is spoken, what is said of English sentences. */

import { afterEach, describe, expect, it } from "vitest";

import { CHINESE } from "../../src/texts/Chinese";
import { ENGLISH } from "../../src/texts/English";
import { english, PLACE, type Texts } from "../../src/texts/Fill";
import { count, languageFor, number, percent, say, speak } from "../../src/texts/Speech";
import { clauses, told } from "../../src/texts/Told";

afterEach(() => speak("en"));

const formsOf = (texts: Texts): [string, string][] =>
  Object.entries(texts).map(([key, text]) => [key, typeof text === "string" ? text : text.other]);
// A place may stand in a text twice; a percent sign is none.
const placesOf = (text: string): string[] =>
  [...new Set([...text.matchAll(PLACE)].flatMap(([, place]) => place ?? []))].sort();

describe("a text", () => {
  it("has its arguments in their places, in every language", () => {
    expect(say("hint_move_rate", "D4", percent(0.5), percent(0.25))).toBe(
      "Hint: D4 (50\u00a0%), your chances 25\u00a0%.",
    );
    speak("zh-CN");
    expect(say("hint_move_rate", "D4", percent(0.5), percent(0.25))).toBe("提示：D4（50%），你的胜率 25%。");
  });

  it("does not compile with another key, or without an argument for each place", () => {
    // @ts-expect-error: there is no such text.
    expect(() => say("no_such_text")).toThrow();
    // @ts-expect-error: the text has two places.
    expect(say("move_of", 1)).toBe("Move 1 of ");
    // @ts-expect-error: the text has no place.
    expect(say("undo", 1)).toBe("Undo");
  });

  it("counts in the forms of its language", () => {
    const counts = [1, 2].map((discs) => count("board_discs", discs));
    expect(counts).toEqual(["1 disc", "2 discs"]);
    expect(count("parameters", 1234, number(1234))).toBe("1,234 parameters");
    speak("zh-CN");
    expect(count("board_discs", 1)).toBe("1 枚棋子");
  });

  it("has the same places in both languages", () => {
    const found = Object.fromEntries(formsOf(CHINESE));
    for (const [key, text] of formsOf(ENGLISH)) expect(placesOf(found[key] ?? ""), key).toEqual(placesOf(text));
  });
});

it("speaks the first language of a person's list that it has, else English", () => {
  expect([["zh-TW", "en"], ["de", "zh"], ["en-GB", "zh"], ["fr"], []].map(languageFor)).toEqual([
    "zh-CN",
    "zh-CN",
    "en",
    "en",
    "en",
  ]);
});

describe("what is said in English below the page", () => {
  it("is told in the language of the page, with what stood in it", () => {
    const sentence = english("error_size", "tiny", "manifest.json", 12, 13);
    expect(told(sentence)).toBe(sentence);
    speak("zh-CN");
    expect(told(sentence)).toBe("网络包“tiny”：“manifest.json”有 12 字节，清单记录的是 13：请重新安装网络包。");
    expect(told(english("error_backend", "webgl", "it does not start"))).toBe(
      "后端 webgl 在这个浏览器中无法运行（it does not start）：请选择另一个。",
    );
  });

  it("stays as it is where no text is like it", () => {
    speak("zh-CN");
    expect(told("Something else.")).toBe("Something else.");
    expect(clauses(["it has no known game", "it is blue"])).toBe("不知道它下的是哪种棋；it is blue");
  });

  it.each(Object.keys(ENGLISH).filter((key) => /^(error|given|zip)_/.test(key)))(
    "%s is recognised as itself",
    (key) => {
      const given = ["one", "two", "three", "four"] as const;
      const sentence = (english as (key: string, ...given: readonly string[]) => string)(key, ...given);
      speak("zh-CN");
      const wanted = (say as (key: string, ...given: readonly string[]) => string)(key, ...given);
      expect(told(sentence)).toBe(wanted);
    },
  );
});
