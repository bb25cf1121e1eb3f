/** What is said of files that a person gives to the page. */

import texts from "../../../../texts/en.json?given&part";
import { learnPart } from "../Speech";

learnPart(texts);
