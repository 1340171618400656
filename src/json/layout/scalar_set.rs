//! Sets of the scalars in a record.

use crate::json::NodeId;

/// A set of scalars in one word: a bit for each of the first 63 nodes, and one for all others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ScalarSet(u64);

/// Bit for all scalars without a bit of their own.
const OTHERS: u64 = 1 << 63;

impl ScalarSet {
    /// Adds a scalar.
    #[inline]
    pub(crate) fn insert(&mut self, scalar: NodeId) {
        self.0 |= 1_u64.checked_shl(scalar).unwrap_or(OTHERS);
    }

    /// Adds an element that [no set is known to contain](Self::is_subset_of).
    #[inline]
    pub(crate) fn insert_other(&mut self) {
        self.0 |= OTHERS;
    }

    /// Whether the sets certainly have no scalar in common.
    #[inline]
    pub(crate) fn is_disjoint_from(self, other: Self) -> bool {
        self.0 & (other.0 | OTHERS) == 0
    }

    /// Whether all of these scalars are certainly in the other set.
    #[inline]
    pub(crate) fn is_subset_of(self, other: Self) -> bool {
        self.0 & !(other.0 & !OTHERS) == 0
    }
}

impl FromIterator<NodeId> for ScalarSet {
    fn from_iter<I: IntoIterator<Item = NodeId>>(scalars: I) -> Self {
        let mut set = Self::default();
        scalars.into_iter().for_each(|scalar| set.insert(scalar));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(scalars: &[NodeId]) -> ScalarSet {
        scalars.iter().copied().collect()
    }

    #[test]
    fn a_set_is_a_subset_of_one_with_all_its_scalars() {
        assert!(set(&[]).is_subset_of(set(&[])));
        assert!(set(&[3, 62]).is_subset_of(set(&[62, 5, 3])));
        assert!(!set(&[3, 4]).is_subset_of(set(&[3])));
    }

    #[test]
    fn sets_without_a_common_scalar_are_disjoint() {
        assert!(set(&[]).is_disjoint_from(set(&[3, 70])));
        assert!(set(&[2, 62]).is_disjoint_from(set(&[3, 70])));
        assert!(!set(&[2, 3]).is_disjoint_from(set(&[3])));
        assert!(!set(&[70]).is_disjoint_from(set(&[3])), "it may be any other");
    }

    #[test]
    fn scalars_without_a_bit_are_in_no_set() {
        for far in [63, 64, 1_000_000] {
            assert!(!set(&[far]).is_subset_of(set(&[far])), "{far}");
        }
        let mut other = set(&[1]);
        other.insert_other();
        assert!(!other.is_subset_of(other));
        assert!(set(&[1]).is_subset_of(other));
    }
}
