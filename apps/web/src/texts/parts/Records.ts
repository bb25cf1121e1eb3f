/** What is said of a text that is no record of a game. */

import texts from "../../../../texts/en.json?part=records";
import { learnPart } from "../Speech";

learnPart(texts);
