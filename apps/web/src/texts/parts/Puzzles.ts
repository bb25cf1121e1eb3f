/** What is said of the puzzles from one's own mistakes. */

import texts from "../../../../texts/en.json?puzzles&part";
import { learnPart } from "../Speech";
import "./Study";

learnPart(texts);
