/** What is said of how a network sees the board. */

import texts from "../../../../texts/en.json?part=readings";
import { learnPart } from "../Speech";

learnPart(texts);
