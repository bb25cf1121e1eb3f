/** What is said of a training run that is followed. */

import texts from "../../../../texts/en.json?run&part";
import { learnPart } from "../Speech";

learnPart(texts);
