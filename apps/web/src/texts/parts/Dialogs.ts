/** What the dialogs say in which a bundle or a record is opened. */

import texts from "../../../../texts/en.json?dialogs&part";
import { learnPart } from "../Speech";

learnPart(texts);
