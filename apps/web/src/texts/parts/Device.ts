/** What the settings say of what only some devices have. */

import texts from "../../../../texts/en.json?device&part";
import { learnPart } from "../Speech";

learnPart(texts);
