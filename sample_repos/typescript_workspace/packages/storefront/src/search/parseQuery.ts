export interface Query {
  words: string[];
  tags: string[];
  without: string[];
  minCents: number;
  maxCents: number;
  sort: "name" | "price" | "-price";
}

/** Reads `lamp "desk globe" tag:gift -tag:book under:50 over:10 sort:price`. */
export function parseQuery(text: string): Query {
  const query: Query = { words: [], tags: [], without: [], minCents: 0, maxCents: Infinity, sort: "name" };
  let index = 0;
  while (index < text.length) {
    const char = text[index];
    if (char === " ") {
      index += 1;
      continue;
    }
    if (char === '"') {
      const end = text.indexOf('"', index + 1);
      if (end === -1) {
        query.words.push(text.slice(index + 1).toLowerCase());
        index = text.length;
      } else {
        if (end > index + 1) {
          query.words.push(text.slice(index + 1, end).toLowerCase());
        }
        index = end + 1;
      }
      continue;
    }
    let end = text.indexOf(" ", index);
    if (end === -1) {
      end = text.length;
    }
    let word = text.slice(index, end).toLowerCase();
    index = end;
    const negated = word.startsWith("-") && word.length > 1;
    if (negated) {
      word = word.slice(1);
    }
    const colon = word.indexOf(":");
    if (colon > 0) {
      const key = word.slice(0, colon);
      const value = word.slice(colon + 1);
      if (key === "tag") {
        if (value) {
          (negated ? query.without : query.tags).push(value);
        }
      } else if (key === "under" || key === "over") {
        const euros = Number(value);
        if (!Number.isNaN(euros)) {
          if ((key === "under") !== negated) {
            query.maxCents = Math.min(query.maxCents, euros * 100);
          } else {
            query.minCents = Math.max(query.minCents, euros * 100);
          }
        }
      } else if (key === "sort") {
        if (value === "price") {
          query.sort = negated ? "-price" : "price";
        } else {
          query.sort = "name";
        }
      } else {
        query.words.push(word);
      }
    } else if (!negated) {
      query.words.push(word);
    }
  }
  return query;
}
