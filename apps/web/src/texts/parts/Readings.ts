/** What is said of how a network sees the board. */

import texts from "../../../../texts/en.json?readings&part";
import { learnPart } from "../Speech";

learnPart(texts);
