/** What the tabs of a phone's sheet are called. */

import texts from "../../../../texts/en.json?sheet&part";
import { learnPart } from "../Speech";

learnPart(texts);
