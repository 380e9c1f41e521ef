"""Estimates with their intervals; importance splitting."""
