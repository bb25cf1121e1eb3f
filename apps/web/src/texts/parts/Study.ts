/** What is said where a person tries to do a mistake better. */

import texts from "../../../../texts/en.json?study&part";
import { learnPart } from "../Speech";

learnPart(texts);
