package dev.jono.e2e.json

import com.fasterxml.jackson.annotation.JsonTypeInfo
import java.time.Instant

/** Has a constructor with arguments alone, as Kotlin's data classes do. */
data class Invoice(val id: Long, val at: Instant, val lines: List<Line>, val note: String?, val paid: Boolean = false)

data class Line(val sku: String, val count: Int)

/** Jackson's module finds the classes of a sealed type by itself. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
sealed interface Event

data class Opened(val by: String) : Event

data class Closed(val why: String, val before: List<Event>) : Event
