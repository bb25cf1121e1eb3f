/** What is said of a text that is no record of a game. */

import texts from "../../../../texts/en.json?records&part";
import { learnPart } from "../Speech";

learnPart(texts);
