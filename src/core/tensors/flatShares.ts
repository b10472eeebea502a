/** Where the elements of a tensor are of which each rank has a share in flat tensors, behind the shares of other ones. */

export interface FlatShares {
  /** Those of one save are the same object. */
  groups: FlatGroups;
  /** Elements of each rank before its share. */
  start: number;
  /** Elements of each share; the last ones are padded. */
  shareElements: number;
}

/** The flat tensors of all ranks, which have as many elements on each. */
export interface FlatGroups {
  dtype: string;
  /** Where each flat tensor of a rank ends, in elements from the first one's beginning. */
  ends: readonly number[];
  /** By rank, for each flat tensor: where its first element is. `file` is a number as of pieces. */
  ranks: readonly (readonly FlatPlace[])[];
}

export interface FlatPlace {
  file: number;
  offset: number;
}

/** Answers the same shares for a table whose files have other ones before them. */
export class MovedShares {
  private readonly moved = new Map<FlatGroups, FlatGroups>();

  constructor(private readonly filesBefore: number) {}

  of(shares: FlatShares): FlatShares {
    const groups = this.moved.get(shares.groups) ?? this.groupsOf(shares.groups);
    this.moved.set(shares.groups, groups);
    return { ...shares, groups };
  }

  private groupsOf(groups: FlatGroups): FlatGroups {
    const move = ({ file, offset }: FlatPlace): FlatPlace => ({ file: file + this.filesBefore, offset });
    return { ...groups, ranks: groups.ranks.map((places) => places.map(move)) };
  }
}
