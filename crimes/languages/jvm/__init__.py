"""What Java, Kotlin and Scala share: packages, source folders, build files, and one resolver for all three."""
