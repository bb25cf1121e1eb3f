/** The page's texts: what a place takes, which form counts, which language is spoken, and sentences of errors. */

import { afterEach, beforeAll, describe, expect, it } from "vitest";
import english from "../../../texts/en.json";
import chinese from "../../../texts/zh-Hans.json";
import { type Forms, own, PLACE, type Texts } from "../../src/texts/Fill";
import { BundleError, sentence, sentenceOf } from "../../src/texts/Sentence";
import { count, languageFor, learn, number, percent, say, sayThis, speak } from "../../src/texts/Speech";

beforeAll(() => learn("zh-CN"));
afterEach(() => speak("en"));

const formsOf = (texts: Texts): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]): [string, string][] => {
    const mine = own<string | Forms>(text);
    return typeof mine === "string" ? [[key, mine]] : mine.other ? [[key, mine.other]] : [];
  });
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
    const found = Object.fromEntries(formsOf(chinese));
    for (const [key, text] of formsOf(english)) expect(placesOf(found[key] ?? ""), key).toEqual(placesOf(text));
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

describe("a sentence of the floors below the page", () => {
  it("is said in the language of the page, with what stands in its places", () => {
    const size = sentence("error_size", "tiny", "manifest.json", 12, 13);
    expect(sayThis(size)).toBe(
      "Bundle 'tiny': 'manifest.json' has 12 bytes, its manifest says 13: install the bundle again.",
    );
    speak("zh-CN");
    expect(sayThis(size)).toBe("网络包“tiny”：“manifest.json”有 12 字节，清单记录的是 13：请重新安装网络包。");
    expect(sayThis(sentence("error_backend", "webgl", "it does not start"))).toBe(
      "后端 webgl 在这个浏览器中无法运行（it does not start）：请选择另一个。",
    );
  });

  it("stays one on its way between the worker and the page", () => {
    const passed = structuredClone(sentenceOf(new BundleError(sentence("error_missing", "tiny", "a.bin"))));
    expect(sayThis(passed)).toBe("Bundle 'tiny': 'a.bin' is missing: install the bundle again.");
  });

  it("is made of any other error, too", () => {
    const unexpected = sentenceOf(new Error("Something else."));
    expect(sayThis(unexpected)).toBe("This page has failed (Something else): load it again.");
    speak("zh-CN");
    expect(sayThis(unexpected)).toBe("本页出错了（Something else）：请重新载入页面。");
  });
});
